import { firstLoad } from '../react/first-load.tsx';

firstLoad();
