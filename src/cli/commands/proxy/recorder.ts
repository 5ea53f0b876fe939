import type { Secrets } from '../../../service/keys/mask.ts'
import type { Io } from '../../terminal/io.ts'

/** Records the traffic for `--record FILE`. */
export async function openRecorder(file: string, { origin, pathname }: URL) {
  const base = pathname === '/' ? '' : pathname
  const { createProxyRecorder } = await import('../../../doors/proxy/proxy-recorder.ts')
  const { add, calls, leftOut } = createProxyRecorder(base)
  return {
    add,
    /** Writes the file and plays it. Resolves with whether both went well. */
    finish: async (secrets: Secrets, io: Io): Promise<boolean> => {
      if (calls.length === 0) {
        io.stderr.write('No call was recorded, so no file was written.\n')
        return true
      }
      const { finishRecording } = await import('../../walkthroughs/finish-recording.ts')
      const service = `${origin}${base}`
      return await finishRecording(calls, { name: service, service, leftOut, secrets, output: file }, io)
    },
  }
}
