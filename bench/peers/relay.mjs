import relay from 'relay-runtime';

const { Environment, Network, RecordSource, Store, createOperationDescriptor, createReaderSelector } = relay;

const scalar = (name) => ({ alias: null, args: null, kind: 'ScalarField', name, storageKey: null });
const linked = (name, concreteType, plural, selections) => ({
  alias: null,
  args: null,
  concreteType,
  kind: 'LinkedField',
  name,
  plural,
  selections,
  storageKey: null,
});

const user = ['id', 'name', 'username', 'email', 'avatarUrl'].map(scalar);
const comment = [...['id', 'content', 'createdAt', 'likes'].map(scalar), linked('commenter', 'User', false, user)];
const post = [
  ...['id', 'title', 'body', 'createdAt'].map(scalar),
  linked('author', 'User', false, user),
  linked('comments', 'Comment', true, comment),
];
const row = ['id', 'title', 'done', 'rank', 'updatedAt'].map(scalar);

/** The output of its compiler for `query { <field> { … } }`. */
function compiled(name, selections) {
  const shared = { argumentDefinitions: [], name, selections };
  return {
    fragment: { ...shared, kind: 'Fragment', metadata: null, type: 'Query', abstractKey: null },
    kind: 'Request',
    operation: { ...shared, kind: 'Operation' },
    params: { cacheID: name, id: null, metadata: {}, name, operationKind: 'query', text: `query ${name}` },
  };
}

function environmentWith(request) {
  const environment = new Environment({
    network: Network.create(() => new Promise(() => {})),
    store: new Store(new RecordSource()),
  });
  const operation = createOperationDescriptor(request, {});
  environment.retain(operation);
  return { environment, operation };
}

export const peer = {
  engine() {
    const { environment, operation } = environmentWith(compiled('Posts', [linked('posts', 'Post', true, post)]));
    const set = (id, field, value) => environment.commitUpdate((store) => void store.get(id).setValue(value, field));
    return {
      write: (posts) => environment.commitPayload(operation, { posts }),
      read: () => environment.lookup(operation.fragment).data.posts,
      changePost: (id, title) => set(id, 'title', title),
      changeUser: (id, name) => set(id, 'name', name),
    };
  },

  readers(rows) {
    const { environment, operation } = environmentWith(compiled('Rows', [linked('rows', 'Row', true, row)]));
    environment.commitPayload(operation, { rows });
    const fragment = { ...compiled('Row', row).fragment, type: 'Row' };
    const shown = rows.map(({ id }, index) => {
      const snapshot = environment.lookup(createReaderSelector(fragment, id, {}, operation.request));
      environment.subscribe(snapshot, (next) => void (shown[index] = next.data));
      return snapshot.data;
    });
    return {
      write: (id, title) => environment.commitUpdate((store) => void store.get(id).setValue(title, 'title')),
      seen: (index) => shown[index].title,
    };
  },
};
