import type { ReadonlySignal } from '@preact/signals'
import { type Source, useLive } from './live.ts'

interface SandboxSource extends Source {
  readonly sandbox: ReadonlySignal<string>
}

/** The keys of the server, that of the situation first. Undefined until they are known. */
export function useKeys({ plane, connection, sandbox }: SandboxSource): readonly string[] | undefined {
  const query = { sandbox: sandbox.value }
  const live = useLive(connection, async () => {
    const [{ keys }, { key: featured }] = await Promise.all([
      plane.call('listKeys', { query }),
      plane.call('getScenario', { query }),
    ])
    const names = keys.map(({ key }) => key)
    return featured !== undefined && names.includes(featured)
      ? [featured, ...names.filter(name => name !== featured)]
      : names
  }, [sandbox.value])
  return live.value.value
}
