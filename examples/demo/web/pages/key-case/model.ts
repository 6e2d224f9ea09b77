/* oxlint-disable typescript/no-explicit-any -- whatever the endpoint is of, its keys are converted */
import { camelCaseKeys, Entity, resource, RestEndpoint, type RestGenerics, snakeCaseKeys } from 'rejoin';

/** Uses camelCase in the application and snake_case in the API. */
class CamelEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  override getRequestInit(body: any) {
    return super.getRequestInit(body && snakeCaseKeys(body));
  }
  override process(value: any) {
    return camelCaseKeys(value);
  }
}

export class Profile extends Entity {
  id = 0;
  fullName = '';
  preferredDisplayName = '';
  homeAddress = { streetName: '', postalCode: '' };
  phoneNumbers: { countryCode: string; localNumber: string }[] = [];
  lastSeenAt: string | null = null;
  static key = 'Profile';
}

export const profiles = resource({
  urlPrefix: '/api',
  path: '/profiles/:id',
  schema: Profile,
  Endpoint: CamelEndpoint,
  optimistic: true,
});
