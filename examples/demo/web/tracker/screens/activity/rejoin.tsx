import { useLive } from 'rejoin/react';
import { latest } from '../rejoin-model.ts';
import { ActivityList } from './view.tsx';

/** As long as it is shown, the stream of the model is open. What comes is filed, and the query has it in its place. */
export function RejoinActivity() {
  return <ActivityList list={useLive(latest)} />;
}
