import { channels } from '@pushfleet/channels';
import { documentedAnswers } from '@pushfleet/http-edge/testing';
import { openApiDocument } from '../openapi/document';

/** What the reference tells of answers. */
export const documented = documentedAnswers(openApiDocument(channels, undefined));
