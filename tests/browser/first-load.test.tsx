import { firstLoad } from '../react/first-load.tsx';

firstLoad(({ milliseconds }) => milliseconds < 100);
