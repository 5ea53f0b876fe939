import { cpSync, existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { NotRun } from '../not-run.ts'
import type { RunningServer, Server } from './server.ts'

/** The nginx of the example `scale-out`, in one process, before these replicas. */
export function nginxBefore(
  { root, folder }: { readonly root: string; readonly folder: string },
  replicas: readonly RunningServer[],
): Server | NotRun {
  const file = ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/bin/nginx'].find(path => existsSync(path))
  const [replica] = replicas
  if (file === undefined || replica === undefined) return { notRun: 'nginx is not installed' }
  const run = mkdtempSync(join(folder, 'nginx-'))
  cpSync(join(root, 'examples/scale-out/nginx.conf'), join(run, 'nginx.conf'))
  const lines = replicas.map(({ url }) => `server ${new URL(url).host} max_fails=1 fail_timeout=1s;\n`)
  writeFileSync(join(run, 'replicas.conf'), lines.join(''))
  return {
    ...replica.server,
    program: port => {
      writeFileSync(join(run, 'listen.conf'), `listen 127.0.0.1:${port};\n`)
      const args = ['-p', run, '-c', join(run, 'nginx.conf'), '-g', 'master_process off;']
      return { file, args }
    },
  }
}
