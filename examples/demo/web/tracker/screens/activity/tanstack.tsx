import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ActivityFields } from '../../fields.ts';
import { fetchActivity, keys } from '../tanstack-api.ts';
import { ActivityList } from './view.tsx';

interface Change {
  readonly entity: string;
  readonly value?: ActivityFields;
}

export function TanstackActivity() {
  const client = useQueryClient();
  const { data } = useSuspenseQuery({ queryKey: keys.activity, queryFn: fetchActivity });
  useEffect(() => {
    const source = new EventSource('/api/events');
    const onChange = ({ data: text }: MessageEvent<string>): void => {
      const { entity, value } = JSON.parse(text) as Change;
      if (entity === 'Activity' && value !== undefined)
        client.setQueryData<readonly ActivityFields[]>(keys.activity, (list = []) => [value, ...list]);
      // Only the server knows which pages contain the changed issue.
      if (entity === 'Issue') void client.invalidateQueries({ queryKey: keys.issues });
      if (entity === 'User') void client.invalidateQueries();
    };
    const onGap = (): void => void client.invalidateQueries();
    source.addEventListener('changed', onChange as (event: Event) => void);
    source.addEventListener('deleted', onChange as (event: Event) => void);
    source.addEventListener('reset', onGap);
    return () => source.close();
  }, [client]);
  return <ActivityList list={data} />;
}
