import { type FormEvent, useState } from 'react';
import { keyOf, snakeCaseKeys } from 'rejoin';
import { useController, useSuspense } from 'rejoin/react';
import { type Profile, profiles } from './model.ts';

export function KeyCasePage() {
  const list = useSuspense(profiles.getList);
  return (
    <div className="stack">
      <div className="grid">
        {list.slice(0, 4).map((profile) => (
          <ProfileCard key={keyOf(profile)} profile={profile} />
        ))}
      </div>
      {list[0] && <BothWays profile={list[0]} />}
    </div>
  );
}

function ProfileCard({ profile }: { readonly profile: Profile }) {
  const controller = useController();
  const [name, setName] = useState(profile.preferredDisplayName);
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    controller
      .fetch(profiles.partialUpdate, { id: profile.id }, { preferredDisplayName: name })
      .catch(() => setName(profile.preferredDisplayName));
  };
  return (
    <article className="card stack">
      <div className="row apart">
        <h2>{profile.fullName}</h2>
        <span className="small">
          Display name: <strong>{profile.preferredDisplayName}</strong>
        </span>
      </div>
      <p className="soft small">
        {profile.homeAddress.streetName}, {profile.homeAddress.postalCode}
        {profile.phoneNumbers.map(({ countryCode, localNumber }) => (
          <span key={localNumber} className="num">
            <br />
            {countryCode} {localNumber}
          </span>
        ))}
      </p>
      <form className="row one-line" onSubmit={onSubmit}>
        <label className="row grow">
          <span className="visually-hidden">Display name of {profile.fullName}</span>
          <input className="field grow" value={name} onChange={(event) => setName(event.target.value)} required />
        </label>
        <button type="submit" className="button">
          Change name
        </button>
      </form>
    </article>
  );
}

/** The first profile, with its keys in the API and its keys in the application. */
function BothWays({ profile }: { readonly profile: Profile }) {
  const { preferredDisplayName, phoneNumbers } = profile;
  const here = { preferredDisplayName, phoneNumbers: phoneNumbers.slice(0, 1) };
  return (
    <div className="pair">
      <section className="stack tight">
        <h2>In the API</h2>
        <pre className="sample">{JSON.stringify(snakeCaseKeys(here), null, 2)}</pre>
      </section>
      <section className="stack tight">
        <h2>On this page</h2>
        <pre className="sample">{JSON.stringify(here, null, 2)}</pre>
      </section>
    </div>
  );
}
