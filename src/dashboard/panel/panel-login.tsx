import { closedCode, type PlaneError } from '../plane/plane-error.ts'
import type { Login } from '../state/login.ts'

export interface PanelLoginProps {
  readonly login: Login
  readonly why: PlaneError
  readonly retry: () => void
}

/** Asks for the token of a server with --admin-token. */
export function PanelLogin({ login, why, retry }: PanelLoginProps) {
  const enter = (event: SubmitEvent) => {
    event.preventDefault()
    const token = new FormData(event.currentTarget as HTMLFormElement).get('token')
    login.enter(String(token))
    retry()
  }
  // No token opens it.
  if (why.code === closedCode) return <p class="section">{why.message}</p>
  return (
    <form class="section" onSubmit={enter}>
      <p>{why.message}</p>
      <label>
        Admin token <input name="token" type="password" autocomplete="off" required />
      </label>
      <button type="submit" class="primary">
        Log in
      </button>
    </form>
  )
}
