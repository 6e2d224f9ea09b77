import { Activity, startTransition, Suspense, useState, ViewTransition } from 'react';
import { useController, useQuery } from 'rejoin/react';
import { CompiledList } from './compiled-list.tsx';
import { MemoList } from './memo-list.tsx';
import { Todo } from './model.ts';

function Title() {
  return <h1>{useQuery(Todo, { id: '1' })?.label}</h1>;
}

export function App() {
  const controller = useController();
  const [isHidden, setHidden] = useState(false);
  const [count, setCount] = useState(0);
  const rename = (title: string): void => void controller.set(Todo, { id: '1' }, { id: '1', title });
  return (
    <main>
      <button onClick={() => setCount(count + 1)}>count {count}</button>
      <button onClick={() => rename('renamed')}>rename</button>
      <button onClick={() => startTransition(() => rename('animated'))}>rename in a transition</button>
      <button onClick={() => setHidden(!isHidden)}>{isHidden ? 'show' : 'hide'}</button>
      <Suspense fallback={<p>Loading …</p>}>
        <ViewTransition>
          <Title />
        </ViewTransition>
        <MemoList />
        <Activity mode={isHidden ? 'hidden' : 'visible'}>
          <CompiledList />
        </Activity>
      </Suspense>
    </main>
  );
}
