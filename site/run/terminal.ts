import { type Commands, refuseUsage } from '../../src/cli/arguments/command.ts'
import { readCommandLine } from '../../src/cli/arguments/command-line.ts'
import * as plane from '../../src/cli/remote/plane-commands.ts'
import { conduct, requests } from '../../src/cli/remote/requests.ts'
import type { Io } from '../../src/cli/terminal/io.ts'
import { adminPath } from '../../src/doors/admin/routing/address.ts'
import type { ShippedScenario } from '../../src/generated/scenario-name.ts'
import { startInProcess } from '../../src/library/testing/in-process.ts'
import { connectCommands } from './find-server.ts'
import { setStandardInput } from './io.ts'
import { type Action, type CurlCall, expandTarget, server } from './shell.ts'

const { clock, keys, pets, rules, sandboxes, reset, useScenario } = plane
const scenarios = { name: 'scenarios', about: '', commands: [useScenario] }
const commands: Commands = [clock, keys, pets, rules, sandboxes, reset, requests, conduct, scenarios]

/** Starts a pet-mock in this page. The function runs a command on it, and resolves with what the command prints. */
export function openTerminal() {
  let near = startServer('free-plan')

  const call = async (target: string, { method, headers, body }: CurlCall): Promise<string> => {
    if (target.startsWith(adminPath))
      return (await near.send(method, target.slice(adminPath.length), body)).text
    const init = { method, headers, ...(body !== undefined && { body }) }
    const response = await near.callApi(target, init)
    return response.text()
  }

  return async (action: Action): Promise<string> => {
    switch (action.does) {
      case 'start':
        near = startServer(action.scenario)
        return ''
      case 'nothing':
        return `(Not run here: ${action.why}.)\n`
      case 'command':
        connectCommands(near.send)
        setStandardInput(action.input)
        return runCommand(action.args)
      case 'call': {
        let output = ''
        for (const target of expandTarget(action.call.target))
          output += `${await call(target, action.call)}\n`
        return output
      }
    }
  }
}

/** As `pet-mock --clock frozen` does, so that no minute ends between two clicks. */
function startServer(scenario: string) {
  const frozen = { extends: scenario as ShippedScenario, clock: { frozen: true, scale: null } }
  return startInProcess({ scenario: frozen }, { origin: server }).near
}

async function runCommand(args: readonly string[]): Promise<string> {
  let output = ''
  const write = (text: string) => {
    output += text
    return true
  }
  const stream = { writableLength: 0, write, on: () => {} }
  const io: Io = {
    env: {},
    pid: 0,
    stdout: stream,
    stderr: stream,
    onSignal: () => {},
    isSentToAll: () => false,
    isInteractive: () => false,
    exit: () => {},
  }
  const line = readCommandLine(args, commands)
  if (line.kind === 'run') await line.command.run({ ...line, loadCommands: async () => commands }, io)
  else if (line.kind === 'refuse') refuseUsage(line.complaints, io)
  return output
}
