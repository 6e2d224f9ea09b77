import { mistakes } from '../react/mistakes.tsx';

mistakes({ isEmulated: false });
