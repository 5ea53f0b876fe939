import type { AppProps } from '../../app/app.ts'
import { CopyButton } from '../../design/elements.tsx'
import { useKeys } from '../../state/keys.ts'

/** A first call to paste. Its copy has the whole key. */
export function FirstCall({ app }: AppProps) {
  const { origin, sandbox, notices } = app
  const [key] = useKeys(app).value ?? []
  const suffix = sandbox.value === 'default' ? '' : `+${sandbox.value}`
  const lineWith = (key = '$API_KEY') => `curl ${origin}/v1/pets -H 'Authorization: Bearer ${key}${suffix}'`
  return (
    <p class="first-call row">
      <code>{lineWith(key?.name)}</code>
      <CopyButton text={lineWith(key?.key)} notices={notices} />
    </p>
  )
}
