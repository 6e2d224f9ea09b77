const RATES = [0, 50, 300, 1000];

interface Props {
  readonly rate: number;
  readonly onChange: (rate: number) => void;
}

/** Sets how many items the server changes per second. */
export function RateChoice({ rate, onChange }: Props) {
  return (
    <label className="row">
      Changes a second
      <select className="field" value={rate} onChange={(event) => onChange(Number(event.target.value))}>
        {RATES.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
    </label>
  );
}
