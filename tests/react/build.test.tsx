import { build } from './build.tsx';

build();
