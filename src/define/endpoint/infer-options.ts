/** Checks of the names of options at compile time. */
// `NoInfer`, because the compiler would otherwise infer from these checks, and therefore look for names that are similar to each known name.

/** Allows no option that is not `Known`. */
export type OnlyOptions<Given, Known> = NoInfer<
  [keyof Given] extends [Known]
    ? unknown
    : string extends keyof Given
      ? unknown
      : {
          readonly [name in Exclude<keyof Given, Known> & string]: WrongOption<ProblemOf<name, Similar<name, Known>>>;
        }
>;

/** Allows other options, but none that is a known name with one wrong letter: they become members. `Self` may have any of them already. */
export type SpelledOptions<Given, Known, Self> = NoInfer<
  [keyof Given] extends [Known]
    ? unknown
    : string extends keyof Given
      ? unknown
      : {
          readonly [
            name in Exclude<keyof Given, Known | keyof Self> & string as [Similar<name, Known>] extends [never]
              ? never
              : name
          ]: WrongOption<ProblemOf<name, Similar<name, Known>>>;
        }
>;

/** The type of an option that is wrong. */
// It is an object type. With a string type, the type of all options would be `never` if the option has a literal type, such as `true`.
export interface WrongOption<Text extends string> {
  readonly '~problem': Text;
}
type ProblemOf<Name extends string, Meant extends string> = [Meant] extends [never]
  ? `There is no option ${Name}.`
  : `There is no option ${Name}. Did you mean ${Meant}?`;

/** The known names that differ from a name by one letter that is missing, added, wrong or exchanged with the next one. */
// Names of three letters, such as `url`, are too similar to other words.
type Similar<Name extends string, Known> = Known extends `${infer _A}${infer _B}${infer _C}${infer Rest}`
  ? Rest extends ''
    ? never
    : Name extends `${Known}s`
      ? never
      : [Forms<Name> & Forms<Known>] extends [never]
        ? never
        : Known
  : never;

/** A name in lower case, and the same without each of its letters. */
type Forms<Name extends string> = Lowercase<Name> | Shortened<Lowercase<Name>>;
type Shortened<Name extends string, Before extends string = ''> = Name extends `${infer First}${infer Rest}`
  ? `${Before}${Rest}` | Shortened<Rest, `${Before}${First}`>
  : never;

/** Options without the types of those that do not affect types, so that the compiler compares these with their own types alone. */
export type Inferred<Given, Untyped> = { readonly [name in keyof Given]: name extends Untyped ? unknown : Given[name] };
