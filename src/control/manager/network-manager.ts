import { Network, type NetworkOptions } from '../controller/network.ts';

export type NetworkManagerOptions = NetworkOptions;

/** Sends requests, with your defaults for how long answers and errors are kept. */
export class NetworkManager extends Network {}
