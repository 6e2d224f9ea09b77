interface Props<Value extends string> {
  readonly label: string;
  readonly options: readonly { readonly value: Value; readonly text: string }[];
  readonly chosen: Value;
  readonly onChoose: (value: Value) => void;
}

/** A group of radio buttons. */
export function Choice<Value extends string>({ label, options, chosen, onChoose }: Props<Value>) {
  return (
    <div className="choice" role="group" aria-label={label}>
      {options.map(({ value, text }) => (
        <button key={value} type="button" aria-pressed={value === chosen} onClick={() => onChoose(value)}>
          {text}
        </button>
      ))}
    </div>
  );
}
