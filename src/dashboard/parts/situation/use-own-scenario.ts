import { useSignal } from '@preact/signals'
import type { App } from '../../app/app.ts'
import type { Body } from '../../plane/plane.ts'
import { act } from '../../state/act.ts'
import { toPlaneError } from '../../state/live.ts'

/** The text of the reader's scenario, and what loads it. */
export function useOwnScenario(app: App) {
  const text = useSignal('')
  const name = useSignal('')
  const mistake = useSignal('')
  const load = async () => {
    try {
      const scenario = await readYaml(text.value)
      const sandbox = app.sandbox.value
      const body = { scenario, ...(name.value !== '' && { name: name.value }) }
      await app.plane.call('setScenario', { query: { sandbox }, body })
      mistake.value = ''
      app.notices.show('Your scenario runs.', 'good')
    } catch (error) {
      mistake.value = toPlaneError(error).message
    }
  }
  const readFile = async (file: File | undefined) => {
    if (file === undefined) return
    await act(app, async () => {
      text.value = await file.text()
      name.value = file.name
    })
  }
  return { text, mistake, load, readFile }
}

/** The reader of YAML is loaded when somebody needs it. The server checks the value. */
async function readYaml(text: string): Promise<Body<'setScenario'>['scenario']> {
  const { parse } = await import('yaml')
  return parse(text, (_name, value) => (typeof value === 'bigint' ? exact(value) : value), {
    intAsBigInt: true,
  })
}

/** The server also reads an int64 as its digits, which JavaScript keeps. */
function exact(value: bigint): number | string {
  return Number.isSafeInteger(Number(value)) ? Number(value) : `${value}`
}
