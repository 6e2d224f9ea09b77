import { type FormEvent, useState } from 'react';
import { useController, useSuspense } from 'rejoin/react';
import { type Profile, profiles } from './model.ts';

export function KeyCasePage() {
  const list = useSuspense(profiles.getList);
  return (
    <div className="grid">
      {list.slice(0, 6).map((profile) => (
        <ProfileCard key={profile.pk()} profile={profile} />
      ))}
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
      <h2>{profile.fullName}</h2>
      <p className="soft small">
        {profile.homeAddress.streetName}, {profile.homeAddress.postalCode}
        {profile.phoneNumbers.map(({ countryCode, localNumber }) => (
          <span key={localNumber} className="num">
            <br />
            {countryCode} {localNumber}
          </span>
        ))}
      </p>
      <form className="row" onSubmit={onSubmit}>
        <label className="row" style={{ flex: 1 }}>
          <span className="visually-hidden">Name to call {profile.fullName} by</span>
          <input
            className="field"
            style={{ flex: 1 }}
            value={name}
            onChange={(event) => setName(event.target.value)}
            required
          />
        </label>
        <button type="submit" className="button">
          Call so
        </button>
      </form>
      <p className="small">
        Called <strong>{profile.preferredDisplayName}</strong>
      </p>
    </article>
  );
}
