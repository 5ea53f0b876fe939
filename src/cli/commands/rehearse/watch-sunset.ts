import type { Emulator } from '../../../emulator/emulator.ts'
import { conductContext } from '../../../judges/conduct/judge-worlds.ts'
import { createLifetimeLog, sunsetMoments } from '../../../judges/rehearsal/sunset.ts'

export function watchSunset() {
  const log = createLifetimeLog()
  return {
    watch: (name: string, { observe, sandboxes }: Emulator): void => {
      const moment = sunsetMoments.find(known => known === name)
      if (moment === undefined) return
      const { textOf } = conductContext(sandbox => sandboxes.get(sandbox), sandboxes)
      observe(exchange => log.add(moment, exchange, textOf(exchange)))
    },
    rows: log.rows,
  }
}

export type SunsetWatch = ReturnType<typeof watchSunset>
