import { useState } from 'preact/hooks'
import { type CallToCopy, copyForms } from '../copy/copy-forms.ts'
import { Button } from '../design/basics.tsx'
import { CopyButton } from '../design/elements.tsx'
import type { Notices } from '../state/live.ts'

/** A call as curl, fetch or Python. `shown`: its `Authorization` on the page; only the copy has the whole key. */
export function CodeBox(props: { call: CallToCopy; shown?: string | undefined; notices: Notices }) {
  const { call, shown = call.authorization, notices } = props
  const [chosen, choose] = useState(0)
  const form = copyForms[chosen]
  if (form === undefined) return null
  return (
    <div class="code-box">
      <div class="row">
        {copyForms.map(({ name }, index) => (
          <Button key={name} aria-pressed={index === chosen} onClick={() => choose(index)}>
            {name}
          </Button>
        ))}
        <span class="filler" />
        <CopyButton text={form.write(call)} notices={notices} />
      </div>
      <pre>{form.write({ ...call, authorization: shown })}</pre>
    </div>
  )
}
