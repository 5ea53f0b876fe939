import { useState } from 'preact/hooks'
import type { CallToCopy } from '../copy/call.ts'
import { copyForms } from '../copy/copy-forms.ts'
import { Button, CopyButton } from '../design/button.tsx'
import type { Notices } from '../state/notices.ts'

interface CodeBoxProps {
  readonly call: CallToCopy
  /** Its header `Authorization` on the page. Only the copy has the whole key. */
  readonly shown?: string | undefined
  readonly notices: Notices
}

/** A call as a line of curl, as fetch or as Python, to copy. */
export function CodeBox({ call, shown = call.authorization, notices }: CodeBoxProps) {
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
