import { useLive } from 'rejoin/react';
import { latest } from '../rejoin-model.ts';
import { ActivityList } from './view.tsx';

/** The stream of the model is open while this component is mounted. Its messages are stored, and the query puts them into the right place. */
export function RejoinActivity() {
  return <ActivityList list={useLive(latest)} />;
}
