import { useState } from 'preact/hooks'
import type { App } from '../app/app.ts'
import { Form, Submit } from '../design/form.tsx'

export function LoginForm({ app, why }: { app: Pick<App, 'login' | 'connection'>; why: string }) {
  const { login, connection } = app
  const [text, setText] = useState('')
  return (
    <Form
      class="login card"
      onSubmit={() => {
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
      <Submit>Log in</Submit>
    </Form>
  )
}
