import { channels } from '@pushfleet/channels';
import { DocumentedAnswers } from '@pushfleet/testing';
import { Ajv2020 } from 'ajv/dist/2020';
import { openApiDocument } from '../openapi/document';

/** What the reference tells of answers. */
export const documented = new DocumentedAnswers(
  openApiDocument(channels, undefined),
  new Ajv2020({ strict: false, validateFormats: false }),
);
