import { build } from '../react/build.tsx';

build();
