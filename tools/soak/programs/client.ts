/*
 * A process of clients: it does what its parent says, and says how far it is.
 */
import { type Assignment, Client } from '../client.ts'
import type { FromClient, ToClient } from '../clients.ts'

let client: Client | undefined
const say = (message: FromClient) => process.send?.(message)

process.on('message', async (message: ToClient) => {
  try {
    await obey(message)
  } catch (error) {
    say({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
})
process.on('disconnect', () => process.exit(1))

async function obey(message: ToClient): Promise<void> {
  if (message.do === 'open') client = await opened(message.assignment)
  else if (message.do === 'stop') client?.stop()
  else if (message.do === 'end') process.exit(0)
  else if (client !== undefined) {
    const running = client
    const timer = setInterval(() => say({ answered: running.answered }), 50)
    await running.run()
    clearInterval(timer)
    say({ answered: running.answered, tally: running.tally })
  }
}

async function opened(assignment: Assignment): Promise<Client> {
  const client = new Client(assignment)
  await client.open()
  say({ isOpen: true })
  return client
}
