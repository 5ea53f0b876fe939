import { useState } from 'preact/hooks'
import type { App } from '../app/app.ts'

export function LoginForm({ app, why }: { app: Pick<App, 'login' | 'connection'>; why: string }) {
  const { login, connection } = app
  const [text, setText] = useState('')
  return (
    <form
      class="login card"
      onSubmit={event => {
        event.preventDefault()
        login.enter(text.trim())
        connection.retry()
      }}
    >
      <h1>This server is locked</h1>
      <p>{why}</p>
      <label>
        Admin token
        <input
          type="password"
          autoComplete="current-password"
          required
          value={text}
          onInput={event => setText(event.currentTarget.value)}
        />
      </label>
      <p class="muted">It stays in this tab until you close it.</p>
      <button type="submit" class="primary">
        Log in
      </button>
    </form>
  )
}
