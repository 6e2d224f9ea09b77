import type { ComponentProps, MouseEvent } from 'react';
import { open } from './router.ts';

/** A link within the demo. With a modifier key, the browser handles the click. */
export function Link({ href, ...rest }: ComponentProps<'a'> & { readonly href: string }) {
  const onClick = (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    open(href);
  };
  return <a href={href} onClick={onClick} {...rest} />;
}
