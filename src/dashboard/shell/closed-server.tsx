import type { App } from '../app/app.ts'

/** What opens a server that other machines reach, and that has no token. */
export function ClosedServer({ app: { login, connection } }: { readonly app: App }) {
  const retry = () => {
    login.leave()
    connection.retry()
  }
  return (
    <section class="login card" aria-labelledby="closed-title">
      <h1 id="closed-title">This server shows nothing</h1>
      <p>Other machines can reach it, and it has no token. So nobody may look at it or change it.</p>
      <p>
        Start it again with a token: <code>pet-mock --admin-token SECRET</code>, or set{' '}
        <code>PET_MOCK_ADMIN_TOKEN</code>. Without <code>--host</code>, it needs none: only this machine
        reaches it.
      </p>
      <button type="button" onClick={retry}>
        Try again
      </button>
    </section>
  )
}
