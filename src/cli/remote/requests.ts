import type { CommandGroup } from '../arguments/command.ts'
import { explainFlags, listFlags } from './request-flags.ts'
import { serverCommand } from './server-command.ts'

export const requests: CommandGroup = {
  name: 'requests',
  about: 'Lists and explains the requests that the server received.',
  commands: [
    serverCommand({
      name: 'list',
      isDefault: true,
      about: 'Lists the requests in the journal, newest last.',
      flags: listFlags,
      examples: [
        ['$0 requests --status 429 --follow', 'each refused request, as it arrives'],
        ["$0 requests --sandbox '*' --since 30s", 'the requests of the last 30 s, in all sandboxes'],
      ],
      notes: ['With --json, the newest request comes first.'],
      act: async session => (await import('./list-requests.ts')).listRequests(session),
    }),
    serverCommand({
      name: 'explain',
      words: '[ID]',
      about: 'Explains the response to a request, or to the newest request.',
      flags: explainFlags,
      examples: [['$0 requests explain 17', '']],
      check: ([id]) =>
        id === undefined || /^[0-9]{1,15}$/.test(id)
          ? []
          : [
              `ID: expected a request number such as 17, found ${JSON.stringify(id)}; pet-mock requests lists them`,
            ],
      act: async session => (await import('./explain-request.ts')).explainRequest(session),
    }),
    serverCommand({
      name: 'clear',
      about: 'Removes all requests from the journal. New requests continue the numbers.',
      flags: {},
      act: async ({ ask, print, values: { sandbox = 'default' } }) =>
        print(await ask<object>('DELETE', '/requests'), () => [
          `cleared the requests of ${sandbox === '*' ? 'all sandboxes' : `the sandbox ${sandbox}`}`,
        ]),
    }),
  ],
}
