import { InvalidInput } from '../invalid-input';
import { LIMITS } from '../limits';

const MAX = LIMITS.conversationIdCharacters.value;
export const CONVERSATION_ID_PATTERN = `^[A-Za-z0-9_.:-]{1,${MAX}}$`;
const CONVERSATION_ID = new RegExp(CONVERSATION_ID_PATTERN);
/** LeanCloud instant messaging overview: temporary conversations. */
const TEMPORARY = '_tmp:';

/** The id of a conversation in an address; a chat server chooses its own. */
export function conversationOf(text: string): string {
  if (CONVERSATION_ID.test(text)) return text;
  throw new InvalidInput(
    'wrong-type',
    `conversation: an id has 1 to ${MAX} letters, digits, _, -, . and :, and no others`,
  );
}

/** LeanCloud instant messaging overview: a temporary conversation cannot be muted. */
export function mutableConversationOf(text: string): string {
  const id = conversationOf(text);
  if (!id.startsWith(TEMPORARY)) return id;
  throw new InvalidInput('wrong-type', 'conversation: a temporary conversation cannot be muted');
}
