import { keyOf } from 'rejoin';
import { useFetch, useMutation, usePending, useSuspense } from 'rejoin/react';
import { open, usePath } from '../../../shell/router.ts';
import { NotSaved } from '../../parts/not-saved.tsx';
import { comments, type IssueComment, issues, people } from '../rejoin-model.ts';
import { CommentLine, Comments, IssueDetail } from './view.tsx';

export function RejoinIssue() {
  const id = usePath().split('/').at(-1) ?? '';
  // The comments are fetched at the same time as the issue.
  void useFetch(comments.getList, { issueId: id });
  void useFetch(people.getList, { perPage: 100 });
  const issue = useSuspense(issues.get, { id });
  const persons = useSuspense(people.getList, { perPage: 100 });
  const shownComments = useSuspense(comments.getList, { issueId: id });
  const change = useMutation(issues.partialUpdate);
  const remove = useMutation(issues.delete);
  // The answer contains the issue with its number of comments, so every list shows the new number.
  const add = useMutation(comments.getList.push);
  const error = change.error ?? remove.error ?? add.error;
  return (
    <IssueDetail
      issue={issue}
      people={persons}
      isPending={usePending(issue)}
      onChange={(changes) => void change.mutate({ id }, changes)}
      onDelete={() => {
        open('/');
        void remove.mutate({ id });
      }}
    >
      <NotSaved error={error} />
      <Comments
        comments={shownComments}
        onAdd={async (body) => (await add.mutate({ issueId: id }, { body })) !== undefined}
      >
        {shownComments.map((comment) => (
          <Line key={keyOf(comment)} comment={comment} />
        ))}
      </Comments>
    </IssueDetail>
  );
}

function Line({ comment }: { readonly comment: IssueComment }) {
  return <CommentLine comment={comment} isPending={usePending(comment)} />;
}
