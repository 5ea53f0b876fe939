import type { App } from '../../app/app.ts'
import { CopyButton } from '../../design/copy-button.tsx'
import { Problem } from '../../design/problem.tsx'
import { useKeys } from '../../state/keys.ts'

/** A first call to paste, where there is none yet. */
export function NoRequests({ app }: { readonly app: App }) {
  const { sandbox, origin } = app
  const [key] = useKeys(app) ?? []
  const suffix = sandbox.value === 'default' ? '' : `+${sandbox.value}`
  const line = `curl ${origin}/v1/pets -H 'Authorization: Bearer ${key === undefined ? '$API_KEY' : key + suffix}'`
  return (
    <Problem title="No calls yet">
      <p>Calls to {origin}/v1 appear here as they come.</p>
      <p class="first-call">
        <code>{line}</code>
        <CopyButton text={line} notices={app.notices} />
      </p>
    </Problem>
  )
}
