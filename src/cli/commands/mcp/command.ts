import { command } from '../../arguments/command.ts'
import { checkServerUrl, serverFlags } from '../../arguments/server-flags.ts'

const { url, port, 'admin-token': adminToken } = serverFlags

const mcpFlags = {
  url: { ...url, about: 'the URL of the API or the admin plane [a server on this machine, at each call]' },
  port,
  'admin-token': adminToken,
}

export const mcp = command({
  name: 'mcp',
  about: 'Lets a coding agent use a running server, by MCP over stdio.',
  flags: mcpFlags,
  examples: [
    ['$0 mcp', 'as the command of an MCP server, in the settings of an agent'],
    ['$0 mcp --url http://127.0.0.1:7387/v1', 'for this server only'],
  ],
  notes: [
    'It starts no server and writes no file. Each tool finds the server that runs at that moment. With several, the agent names one.',
    'The tools mask API keys, escape control characters, and cut each text of a client at 2 KiB. docs/agents.md lists them.',
    'It ends when its input ends. Exit codes: 0 done, 2 wrong usage.',
  ],
  check: checkServerUrl,
  load: () => import('./run.ts'),
})
