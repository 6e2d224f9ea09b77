import { InMemoryCache, gql } from '@apollo/client';
import { saving } from './apollo-saved.mjs';

const query = gql`
  query Posts {
    posts {
      id
      title
      body
      createdAt
      author {
        ...UserFields
      }
      comments {
        id
        content
        createdAt
        likes
        commenter {
          ...UserFields
        }
      }
    }
  }
  fragment UserFields on User {
    id
    name
    username
    email
    avatarUrl
  }
`;
const title = gql`
  fragment Title on Post {
    title
  }
`;
const name = gql`
  fragment Name on User {
    name
  }
`;

export const peer = {
  ...saving,
  engine() {
    const cache = new InMemoryCache();
    const change = (__typename, id, fragment, fields) =>
      cache.writeFragment({ id: `${__typename}:${id}`, fragment, data: { __typename, ...fields } });
    return {
      write: (data) => void cache.writeQuery({ query, data }),
      read: () => cache.readQuery({ query }).posts,
      changePost: (id, value) => void change('Post', id, title, { title: value }),
      changeUser: (id, value) => void change('User', id, name, { name: value }),
    };
  },
};
