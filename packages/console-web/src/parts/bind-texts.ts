type TextName<Form> = { [Name in keyof Form]: string extends Form[Name] ? Name : never }[keyof Form] & string;

/** Ties the texts of a form to their fields, each with what the API has against it at its path. */
export const bindTexts =
  <Form extends object>(
    form: Form,
    change: (change: Partial<Form>) => void,
    errorAt: (path: string) => string | undefined = () => undefined,
  ) =>
  <Name extends TextName<Form>>(name: Name, path: string = name) => ({
    value: form[name] as Form[Name] & string,
    error: errorAt(path),
    onChange: (text: string) => change({ [name]: text } as Partial<Form>),
  });
