import { useState } from 'react';

const NEXT: Readonly<Record<string, string>> = { auto: 'light', light: 'dark', dark: 'auto' };
const NAMES: Readonly<Record<string, string>> = { auto: 'as the system', light: 'light', dark: 'dark' };

export function ThemeSwitch() {
  const [theme, setTheme] = useState(document.documentElement.dataset['theme'] ?? 'auto');
  const choose = (): void => {
    const next = NEXT[theme] ?? 'auto';
    setTheme(next);
    document.documentElement.dataset['theme'] = next;
    localStorage.setItem('theme', next);
  };
  return (
    <button
      type="button"
      className="button quiet icon theme"
      aria-label={`Theme: ${NAMES[theme]}`}
      title={`Theme: ${NAMES[theme]}`}
      onClick={choose}
    >
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <circle cx="10" cy="10" r="7.25" fill="none" stroke="currentColor" strokeWidth="1.5" />
        <path
          d={
            theme === 'light'
              ? ''
              : theme === 'dark'
                ? 'M10 2.75a7.25 7.25 0 1 1 0 14.5a7.25 7.25 0 1 1 0-14.5'
                : 'M10 2.75a7.25 7.25 0 0 1 0 14.5z'
          }
          fill="currentColor"
        />
      </svg>
    </button>
  );
}
