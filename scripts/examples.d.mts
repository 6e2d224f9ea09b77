export interface PublicName {
  readonly entryPoint: string;
  readonly name: string;
  readonly text: string;
}

export interface Example {
  readonly page: string;
  readonly title: string;
  readonly source: string;
}

export declare function publicNames(): readonly PublicName[];
export declare function examplesByName(): ReadonlyMap<string, readonly Example[]>;
export declare function hiddenNames(): ReadonlySet<string>;
