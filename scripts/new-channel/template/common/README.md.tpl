# __name__

Sends to devices of __Name__ through the vendor's push service and reads its receipts. Refuses to address anything but registration tokens.

## Vendor documents

- Title and date of each document that this folder follows. What stands here now is the example vendor of `npm run new-channel`.

## What a message becomes

One `POST /__name__/v1/messages` with an access token, for up to 500 devices.

| field                    | from                                                        |
| ------------------------ | ----------------------------------------------------------- |
| `notification`           | title (else the app's name) and alert; notifications only   |
| `notification.intent`    | what a tap opens                                            |
| `notification.replaceId` | `replaceKey`: a repeat replaces the first, a push that before of its group |
| `notification.category`  | section, else the profile's `category`                      |
| `data`                   | custom attributes; for `silent` the whole data object       |
| `ttl`                    | remaining life in seconds, 1 second to 7 days               |
| `requestId`, `tag`       | batch and push; a section cannot change them                |

## Limits

500 tokens in a call, 100 code points of title; a longer one is cut.

## Quirks

- A token in `refused` is dead.

## Simulator

Serves the token address and the send path.

## Not confirmed against the vendor

Everything.
