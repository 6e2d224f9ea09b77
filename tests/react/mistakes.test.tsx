import { mistakes } from './mistakes.tsx';

mistakes({ isEmulated: true });
