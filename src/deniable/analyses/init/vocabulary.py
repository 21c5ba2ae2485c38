"""What the name of a column says of it: words in English and some of its neighbours' languages.

A name is taken apart into words, without accents: `Geburts-Datum`, `dateNaissance` and `date_of_birth` alike. A word of
five letters or more is also known at the beginning or the end of a longer one, as languages have it that write
`Patientennummer`.
"""

from __future__ import annotations

import re
import unicodedata
from enum import Enum
from functools import lru_cache

from deniable.frozen import frozen


class Meaning(Enum):
    """What a column is about, as its name has it."""

    PERSON = "person"  # names people, or numbers them
    NAME = "name"  # of somebody, or of a part of it
    CONTACT = "contact"  # names somebody elsewhere: a tax number, a telephone
    NUMBER = "number"  # of a row, of whatever it is about
    EVENT = "event"  # names something that happens to people, more than once
    KNOWN = "known"  # what others may know of somebody
    PRIVATE = "private"  # what people keep to themselves
    NOTHING = "nothing"


@frozen
class Said:
    """What a name says; how much it matters that something private stays so; whether it names a code."""

    meaning: Meaning
    weight: int = 0
    is_code: bool = False
    is_part: bool = False  # of somebody's name


PERSON = frozenset((
    "person", "people", "patient", "subject", "respondent", "participant", "individual", "employee", "worker", "staff",
    "customer", "client", "member", "student", "pupil", "user", "citizen", "resident", "taxpayer", "borrower",
    "insured", "beneficiary", "owner", "tenant", "donor", "voter", "inmate", "unit", "household", "mrn", "pid", "uid",
    "userid", "personal", "versicherte", "mitarbeiter", "kunde", "kunden", "kundin", "mitglied", "schuler", "schueler",
    "burger", "buerger", "kennung", "identifiant", "matricule", "salarie", "personne", "usager", "assure", "eleve",
    "paciente", "cliente", "empleado", "alumno", "matricula", "identificador", "paziente", "matricola", "dipendente",
    "utente", "klant", "medewerker", "leerling", "persoon", "pacjent", "osoba", "asiakas", "henkilo", "kund", "elev",
))  # fmt: skip

NAME = frozenset((
    "name", "fullname", "surname", "lastname", "firstname", "forename", "nachname", "vorname", "familienname", "nom",
    "prenom", "nombre", "apellido", "apellidos", "nome", "cognome", "sobrenome", "apelido", "naam", "voornaam",
    "achternaam", "namn", "fornamn", "efternamn", "nazwisko", "imie", "prijmeni", "jmeno", "navn", "nimi",
))  # fmt: skip

PART_OF_NAME = frozenset((
    "first", "last", "given", "family", "middle", "surname", "lastname", "firstname", "forename", "nachname",
    "vorname", "familienname", "prenom", "apellido", "apellidos", "cognome", "sobrenome", "apelido", "voornaam",
    "achternaam", "fornamn", "efternamn", "nazwisko", "imie", "prijmeni", "jmeno",
))  # fmt: skip

CONTACT = frozenset((
    "ssn", "nino", "nhs", "passport", "licence", "license", "email", "mail", "phone", "telephone", "mobile", "tel",
    "fax", "address", "street", "iban", "account", "card", "ip", "url", "website", "twitter", "username", "login",
    "signature", "plate", "vin", "latitude", "longitude", "lat", "lon", "lng", "geo", "telefon", "handy", "adresse",
    "anschrift", "strasse", "hausnummer", "konto", "steuernummer", "sozialversicherungsnummer", "svnr", "ahv",
    "ausweis", "courriel", "rue", "portable", "nir", "dni", "nie", "nif", "rut", "cedula", "curp", "rfc", "correo",
    "direccion", "calle", "telefono", "movil", "indirizzo", "via", "cellulare", "cpf", "endereco", "celular", "bsn",
    "adres", "straat", "personnummer", "fodselsnummer", "henkilotunnus", "pesel", "adress", "gata", "ulica", "fiscale",
))  # fmt: skip

NUMBER = frozenset((
    "id", "ids", "nr", "no", "num", "number", "nummer", "key", "uuid", "guid", "index", "idx", "row", "rowid",
    "serial", "seq", "identifier", "numero", "codigo", "codice", "lfd", "zeile", "ligne", "fila", "riga", "rij",
    "cislo",
))  # fmt: skip

EVENT = frozenset((
    "visit", "encounter", "admission", "stay", "episode", "claim", "order", "transaction", "invoice", "booking",
    "trip", "session", "event", "sample", "specimen", "prescription", "payment", "besuch", "aufenthalt", "auftrag",
    "rechnung", "fall", "visite", "sejour", "commande", "visita", "ingreso", "pedido", "ricovero", "ordine", "bezoek",
    "opname",
))  # fmt: skip

# Known of somebody by when, which is never what is private itself: the date of a diagnosis, the age at it.
WHEN = frozenset((
    "age", "ages", "date", "year", "month", "day", "week", "quarter", "time", "birth", "birthday", "birthdate", "born",
    "dob", "yob", "datetime", "timestamp", "alter", "datum", "jahr", "monat", "tag", "geburt", "geburtstag", "edad",
    "fecha", "ano", "mes", "dia", "nacimiento", "naissance", "annee", "mois", "jour", "eta", "data", "anno", "mese",
    "giorno", "nascita", "idade", "nascimento", "leeftijd", "jaar", "maand", "geboorte", "alder", "wiek", "rok",
))  # fmt: skip

KNOWN = frozenset((
    "sex", "gender", "zip", "zipcode", "postcode", "postal", "postalcode", "city", "town", "village", "county",
    "state", "province", "region", "district", "ward", "country", "nation", "nationality", "birthplace", "place",
    "location", "area", "race", "ethnicity", "ethnic", "marital", "married", "spouse", "children", "education",
    "degree", "school", "occupation", "job", "profession", "employer", "workclass", "industry", "position",
    "department", "language", "height", "size", "relationship", "citizenship", "filing", "role", "rank", "grade",
    "hours", "hospital", "clinic", "geschlecht", "plz", "postleitzahl", "ort", "stadt", "gemeinde", "kreis",
    "bundesland", "land", "staat", "beruf", "familienstand", "bildung", "staatsangehorigkeit", "nationalitat",
    "abteilung", "groesse", "grosse", "kinder", "sexe", "ville", "commune", "departement", "pays", "metier", "diplome",
    "sexo", "genero", "ciudad", "municipio", "provincia", "pais", "estado", "profesion", "ocupacion", "educacion",
    "sesso", "genere", "cap", "citta", "comune", "regione", "paese", "professione", "istruzione", "cidade",
    "profissao", "ocupacao", "geslacht", "woonplaats", "gemeente", "beroep", "opleiding", "kon", "yrke", "plec",
    "miasto", "zawod", "wojewodztwo",
))  # fmt: skip

CODE = frozenset((
    "zip", "zipcode", "postcode", "postal", "postalcode", "plz", "postleitzahl", "cap", "cp", "code", "codes", "icd",
    "atc", "soc", "nace", "naics", "sic", "fips", "insee", "kod", "codigo", "codice", "schlussel", "schluessel",
))  # fmt: skip

HEALTH = frozenset((
    "diagnosis", "diagnose", "diagnoses", "disease", "illness", "sickness", "disorder", "condition", "problem",
    "symptom", "icd", "drg", "medication", "medicine", "drug", "prescribed", "treatment", "therapy", "surgery",
    "procedure", "allergy", "hiv", "aids", "cancer", "tumor", "tumour", "diabetes", "pregnant", "pregnancy",
    "disability", "disabled", "blind", "deaf", "mental", "psychiatric", "suicide", "addiction", "alcohol", "smoker",
    "test", "result", "lab", "blood", "vaccine", "vaccination", "genotype", "gene", "bmi", "cause", "death",
    "krankheit", "befund", "medikament", "behandlung", "therapie", "allergie", "behinderung", "schwanger", "maladie",
    "traitement", "medicament", "diagnostic", "diagnostico", "enfermedad", "tratamiento", "medicamento", "diagnosi",
    "malattia", "terapia", "farmaco", "doenca", "ziekte", "behandeling", "medicatie", "sjukdom", "choroba", "leczenie",
    "sairaus",
))  # fmt: skip

INTIMATE = frozenset((
    "religion", "religious", "faith", "party", "vote", "political", "politics", "union", "orientation", "sexuality",
    "offence", "offense", "crime", "criminal", "conviction", "sentence", "arrest", "asylum", "refugee", "abuse",
    "konfession", "partei", "straftat", "urteil", "religione", "partito", "reato", "partido", "delito", "crimen",
    "condena", "parti", "infraction", "syndicat", "geloof", "partij", "misdrijf",
))  # fmt: skip

MONEY = frozenset((
    "income", "salary", "wage", "wages", "pay", "earnings", "compensation", "bonus", "debt", "loan", "mortgage",
    "credit", "balance", "wealth", "assets", "savings", "tax", "benefit", "welfare", "pension", "rent", "score",
    "rating", "arrears", "default", "bankruptcy", "einkommen", "gehalt", "lohn", "verdienst", "schulden", "vermogen",
    "vermoegen", "kredit", "rente", "steuer", "miete", "revenu", "salaire", "dette", "pret", "impot", "loyer",
    "patrimoine", "ingresos", "salario", "sueldo", "deuda", "prestamo", "renta", "reddito", "stipendio", "debito",
    "prestito", "renda", "divida", "inkomen", "loon", "salaris", "schuld", "inkomst", "dochod", "zarobki",
))  # fmt: skip

MARKS = frozenset((
    "marks", "gpa", "exam", "performance", "evaluation", "appraisal", "complaint", "discipline", "warning", "opinion",
    "satisfaction", "note", "zeugnis", "zensur", "beurteilung", "moyenne", "calificacion", "voto", "valutazione",
))  # fmt: skip

# Names are held against these in turn: what a column is about comes before whom it is about, as in a patient's age.
IN_TURN = (
    (CONTACT, Meaning.CONTACT, 0),
    (WHEN, Meaning.KNOWN, 0),
    (HEALTH, Meaning.PRIVATE, 100),
    (INTIMATE, Meaning.PRIVATE, 90),
    (MONEY, Meaning.PRIVATE, 80),
    (MARKS, Meaning.PRIVATE, 60),
    (KNOWN, Meaning.KNOWN, 0),
    (EVENT, Meaning.EVENT, 0),
    (PERSON, Meaning.PERSON, 0),
    (NAME, Meaning.NAME, 0),
    (NUMBER, Meaning.NUMBER, 0),
)
_LONG = 5
_CAMEL = re.compile(r"[a-z][A-Z]")
_WORD = re.compile(r"[^\W\d_]+")


@lru_cache(maxsize=20_000)  # columns, which are asked in turn, again and again
def said_by(name: str) -> Said:
    """What a column's name says."""
    words = words_of(name)
    found = ((meaning, weight) for known, meaning, weight in IN_TURN if _among(words, known))
    meaning, weight = next(found, (Meaning.NOTHING, 0))
    is_part = meaning is Meaning.NAME and _among(words, PART_OF_NAME)
    return Said(meaning, weight, _among(words, CODE), is_part)


def words_of(name: str) -> tuple[str, ...]:
    """The words of a name, in small letters and without accents."""
    apart = unicodedata.normalize("NFKD", _CAMEL.sub(lambda two: "_".join(two[0]), name))
    plain = "".join(letter for letter in apart if not unicodedata.combining(letter)).casefold()
    return tuple(_WORD.findall(plain))


def _among(words: tuple[str, ...], known: frozenset[str]) -> bool:
    return any(word in known or _holds(word, known) for word in words)


def _holds(word: str, known: frozenset[str]) -> bool:
    """Whether a longer word begins or ends with one that is known."""
    ends = (word[:i] for i in range(_LONG, len(word)))
    begins = (word[-i:] for i in range(_LONG, len(word)))
    return any(part in known for part in (*ends, *begins))
