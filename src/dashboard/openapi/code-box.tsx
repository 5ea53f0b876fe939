import { useState } from 'preact/hooks'
import { type CallToCopy, copyForms } from '../copy/copy-forms.ts'
import { Button } from '../design/basics.tsx'
import { CopyButton } from '../design/elements.tsx'
import type { Notices } from '../state/live.ts'

/** A call as curl, fetch or Python. `shown`: its `Authorization` on the page; only the copy has the whole key. */
export function CodeBox(props: { call: CallToCopy; shown?: string | undefined; notices: Notices }) {
  const { call, shown = call.authorization, notices } = props
  const [form, choose] = useState<(typeof copyForms)[number]>(copyForms[0])
  return (
    <div class="code-box">
      <div class="row">
        {copyForms.map(one => (
          <Button key={one.name} aria-pressed={one === form} onClick={() => choose(one)}>
            {one.name}
          </Button>
        ))}
        <span class="filler" />
        <CopyButton text={form.write(call)} notices={notices} />
      </div>
      <pre>{form.write({ ...call, authorization: shown })}</pre>
    </div>
  )
}
