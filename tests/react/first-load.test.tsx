import { firstLoad } from './first-load.tsx';

firstLoad();
