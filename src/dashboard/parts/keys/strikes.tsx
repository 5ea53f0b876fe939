/** Refused calls on the way to a ban. */
export function Strikes({ count, banAfter }: { readonly count: number; readonly banAfter: number | null }) {
  if (banAfter === null) return <p class="muted">Bans are off.</p>
  return (
    <p class="strikes">
      <span class="muted">
        {count === 0 ? 'No strikes' : `${count} of ${banAfter} strikes`}; {banAfter} in a row ban the key.
      </span>
      {count > 0 && <progress value={Math.min(count, banAfter)} max={banAfter} aria-label="Strikes" />}
    </p>
  )
}
