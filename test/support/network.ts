import { type ChildProcess, execFileSync } from 'node:child_process'

/** Two network namespaces with a cable between them, as two containers have. No other machine is on it. */
export interface Network {
  readonly name: string
  readonly server: string
  readonly client: string
  /** Of the server. */
  readonly address: string
  /** Ends what runs in them, and removes them. */
  readonly close: (outer: ChildProcess) => void
}

export function openNetwork(): Network {
  const name = `pm${process.pid % 100_000}${Date.now() % 1_000}`
  const [server, client] = [`${name}s`, `${name}c`]
  const ip = (line: string) => execFileSync('ip', line.split(' '), { stdio: 'pipe' })
  for (const one of [server, client]) {
    ip(`netns add ${one}`)
    ip(`-n ${one} link set lo up`)
  }
  ip(`-n ${server} link add eth0 type veth peer name eth0 netns ${client}`)
  for (const [one, address] of [
    [server, '10.231.7.1/24'],
    [client, '10.231.7.2/24'],
  ]) {
    ip(`-n ${one} address add ${address} dev eth0`)
    ip(`-n ${one} link set eth0 up`)
  }
  const close = (outer: ChildProcess) => {
    outer.kill('SIGKILL')
    for (const one of [server, client]) ip(`netns delete ${one}`)
  }
  return { name, server, client, address: '10.231.7.1', close }
}

/** A command line that runs a command as process 1 in a namespace, as user 1000, the user `node` of the images. */
export function inContainer(
  namespace: string,
  env: Readonly<Record<string, string>>,
  directory: string,
  command: readonly string[],
): readonly string[] {
  const settings = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  return [
    ...['ip', 'netns', 'exec', namespace, 'unshare', '--pid', '--fork', '--kill-child', '--mount-proc'],
    ...['setpriv', '--reuid=1000', '--regid=1000', '--clear-groups', '--no-new-privs', '--inh-caps=-all'],
    ...['env', '--ignore-environment', `--chdir=${directory}`, `PATH=${process.env.PATH}`, ...settings],
    ...command,
  ]
}
