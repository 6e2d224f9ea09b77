import { firstLoad } from './first-load.tsx';

// React holds a fallback for hundreds of turns.
firstLoad(({ turns }) => turns < 20);
