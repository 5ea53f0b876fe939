import { useState } from 'preact/hooks'
import type { CallToCopy } from '../copy/call.ts'
import { copyForms } from '../copy/copy-forms.ts'
import { Button, CopyButton } from '../design/button.tsx'
import type { Notices } from '../state/notices.ts'

/** A call as a line of curl, as fetch or as Python, to copy. */
export function CodeBox({ call, notices }: { readonly call: CallToCopy; readonly notices: Notices }) {
  const [chosen, choose] = useState(0)
  const form = copyForms[chosen]
  if (form === undefined) return null
  const text = form.write(call)
  return (
    <div class="code-box">
      <div class="row">
        {copyForms.map(({ name }, index) => (
          <Button key={name} aria-pressed={index === chosen} onClick={() => choose(index)}>
            {name}
          </Button>
        ))}
        <span class="filler" />
        <CopyButton text={text} notices={notices} />
      </div>
      <pre>{text}</pre>
    </div>
  )
}
