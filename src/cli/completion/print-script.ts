import type { Invocation } from '../arguments/command.ts'
import { refuseUsage } from '../arguments/usage-error.ts'
import { exitCodes } from '../terminal/io.ts'
import { scripts } from './scripts.ts'
import type { Shell } from './shells.ts'

export async function printScript({ complaints, io }: Invocation<unknown>, shell: Shell): Promise<number> {
  if (complaints.length > 0) return refuseUsage(complaints, io)
  io.stdout.write(scripts[shell])
  return exitCodes.fine
}
