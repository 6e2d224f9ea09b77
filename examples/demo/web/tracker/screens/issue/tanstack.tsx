import { useMutation, useQueryClient, useSuspenseQueries } from '@tanstack/react-query';
import { open, usePath } from '../../../shell/router.ts';
import type { CommentFields, IssueFields } from '../../fields.ts';
import { NotSaved } from '../../parts/not-saved.tsx';
import {
  createComment,
  deleteIssue,
  fetchComments,
  fetchIssue,
  fetchPeople,
  type IssuePage,
  keys,
} from '../tanstack-api.ts';
import { useChangeIssue } from '../tanstack-changes.ts';
import { CommentLine, Comments, IssueDetail } from './view.tsx';

export function TanstackIssue() {
  const id = usePath().split('/').at(-1) ?? '';
  const client = useQueryClient();
  const [{ data: issue }, { data: persons }, { data: shownComments }] = useSuspenseQueries({
    queries: [
      { queryKey: keys.issue(id), queryFn: () => fetchIssue(id), initialData: () => listed(id) },
      { queryKey: keys.people, queryFn: fetchPeople },
      { queryKey: keys.comments(id), queryFn: () => fetchComments(id) },
    ],
  });
  // Usually a loaded page contains the issue.
  function listed(wanted: string): IssueFields | undefined {
    const pages = client.getQueriesData<IssuePage>({ queryKey: keys.issuePages });
    return pages.flatMap(([, page]) => page?.items ?? []).find((one) => one.id === wanted);
  }
  const change = useChangeIssue();
  const remove = useDeleteIssue(id);
  const add = useAddComment(id);
  const error = change.error ?? remove.error ?? add.error;
  return (
    <IssueDetail
      issue={issue}
      people={persons}
      isPending={change.isPending}
      onChange={(changes) => change.mutate({ id, change: changes })}
      onDelete={() => {
        open('/');
        remove.mutate();
      }}
    >
      <NotSaved error={error} />
      <Comments
        comments={shownComments}
        onAdd={(body) =>
          add.mutateAsync(body).then(
            () => true,
            () => false,
          )
        }
      >
        {shownComments.map((comment) => (
          <CommentLine key={comment.id} comment={comment} isPending={comment.id.startsWith('draft')} />
        ))}
      </Comments>
    </IssueDetail>
  );
}

function useDeleteIssue(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => deleteIssue(id),
    onSuccess: () => client.removeQueries({ queryKey: keys.issue(id) }),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: keys.issuePages }),
        client.invalidateQueries({ queryKey: keys.activity }),
      ]),
  });
}

function useAddComment(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: string) => createComment(id, body),
    onMutate: async (body) => {
      const queryKey = keys.comments(id);
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData<readonly CommentFields[]>(queryKey);
      const draft = { id: `draft ${Date.now()}`, body, createdAt: '', author: { id: '1', name: '' } };
      client.setQueryData<readonly CommentFields[]>(queryKey, (list = []) => [...list, draft]);
      return { before };
    },
    onError: (_error, _body, context) => client.setQueryData(keys.comments(id), context?.before),
    // The lists show the number of comments of an issue.
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: keys.comments(id) }),
        client.invalidateQueries({ queryKey: keys.issues }),
      ]),
  });
}
